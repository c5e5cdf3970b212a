const common = `
Options of every command
  --model provider:name            the chat model: openai:…, anthropic:…, ollama:… or local
  --embedding-model provider:name  the embedding model: openai:…, ollama:… or local, the default
  --json                           one JSON object a line, for machines
  --verbose                        stack traces and debug lines
  -h, --help                       this text
  --version                        the version`;

const documents = `
  --docs PATH…  files and folders with Markdown, HTML, text or JSON; may be repeated
  --store FILE  a store that 'vernal ingest' made`;

const program = `vernal: answers from your documents

Usage
  vernal ask [--docs PATH…] [--store FILE] "question"
  vernal chat [--docs PATH…] [--store FILE]
  vernal ingest PATH… --store FILE
  vernal doctor
  vernal help COMMAND
${common}`;

const commands: Readonly<Record<string, string>> = {
  ask: `vernal ask [--docs PATH…] [--store FILE] "question"

Answers from the documents, streaming, with numbered sources. Several questions in quotes are answered one after the other;
several words without quotes become one question.
${documents}
  --chat        goes on with a conversation, at a terminal
  --            what follows is a question, whatever it looks like
${common}`,
  chat: `vernal chat [--docs PATH…] [--store FILE]

Opens a conversation about the documents that remembers what was said. Ctrl-C stops the answer that is being written;
/exit, Ctrl-D, or Ctrl-C at an empty prompt end it. Questions that are piped in are read a line each.
${documents}
${common}`,
  ingest: `vernal ingest PATH… --store FILE

Reads, splits and embeds documents and writes them into a store file. What the store held of a file before is replaced.

  --store FILE  the store file; it is made if it is not there
${common}`,
  doctor: `vernal doctor

Shows what is configured, which models would be used, and why. Never shows a key.
${common}`,
};

/** Help texts. */
export const help: { readonly program: string; readonly commands: Readonly<Record<string, string>> } = {
  program,
  commands,
};
