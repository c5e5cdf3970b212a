// The Model Context Protocol, both sides: see README.md.
export {};
