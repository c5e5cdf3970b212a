const common = `
Options
  --model provider:name            the chat model: openai:…, anthropic:…, ollama:… or local
  --embedding-model provider:name  the embedding model; default local
  --json                           one JSON object a line, for machines
  --verbose                        stack traces and debug lines
  -h, --help                       this text`;

/** Help texts by command; '' is the program's. */
export const help: Readonly<Record<string, string>> = {
  '': `vernal: answers from your documents

Usage
  vernal ask [--docs PATH…] [--store FILE] "question"…
  vernal chat [--docs PATH…] [--store FILE]
  vernal ingest PATH… --store FILE
  vernal doctor

  vernal help COMMAND   shows the help of a command
  vernal --version      shows the version
${common}`,
  ask: `vernal ask [--docs PATH…] [--store FILE] "question"…

Answers each question from the documents, streaming, with numbered sources.

  --docs PATH   a file or a folder with Markdown, HTML, text or JSON; may be given several times
  --store FILE  a store that 'vernal ingest' made
  --chat        goes on with a conversation when standing at a terminal
${common}`,
  chat: `vernal chat [--docs PATH…] [--store FILE]

Opens a conversation about the documents. Ctrl-C stops the answer that is being written; Ctrl-C at an empty prompt,
Ctrl-D or /exit end the program.

  --docs PATH   a file or a folder with Markdown, HTML, text or JSON; may be given several times
  --store FILE  a store that 'vernal ingest' made
${common}`,
  ingest: `vernal ingest PATH… --store FILE

Reads, splits and embeds documents and writes them into a store file. What a file held before is replaced.

  --store FILE  the store file; it is made if it is not there
${common}`,
  doctor: `vernal doctor

Shows what is configured, which models would be used, and why. Never shows a key.
${common}`,
};
