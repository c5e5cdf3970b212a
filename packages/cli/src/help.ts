const common = `
Options of every command
  --model provider:name            the chat model: openai:…, anthropic:…, ollama:… or local
  --embedding-model provider:name  the embedding model: openai:…, ollama:… or local, the default
  --json                           one JSON object a line, for machines
  --verbose                        stack traces and debug lines
  -h, --help                       this text
  --version                        the version`;

const documents = `
  --docs PATH…  files and folders with Markdown, HTML, text, JSON, PDF, office files, books or mail; may be repeated
  --store FILE  a store that 'vernal ingest' made
  --rag MODE    simple, the default: one search by meaning and by words; advanced: the question is rewritten and asked in several
                ways by a model that can, and what was found is reranked and rid of what is there twice`;

const tools = `
  --mcp FILE    lets the model use the tools of the MCP servers that FILE names: JSON as Claude Desktop has it; $\{NAME} stands for a
                variable of the environment. What may destroy something is asked about first, or refused where nobody can be asked
  --allow NAME  a tool that runs without a question; several with commas; 'all' for every one; may be repeated`;

const program = `vernal: answers from your documents

Usage
  vernal ask [--docs PATH…] [--store FILE] [--mcp FILE] "question"
  vernal chat [--docs PATH…] [--store FILE] [--mcp FILE] [--memory URL]
  vernal ingest PATH… --store FILE
  vernal eval DATASET [--docs PATH…] [--store FILE]
  vernal eval compare BEFORE.json AFTER.json
  vernal mcp serve [--docs PATH…] [--store FILE] [--http PORT]
  vernal doctor
  vernal help COMMAND
${common}`;

const commands: Readonly<Record<string, string>> = {
  ask: `vernal ask [--docs PATH…] [--store FILE] [--mcp FILE] "question"

Answers from the documents, streaming, with numbered sources. Several questions in quotes are answered one after the other;
several words without quotes become one question.
${documents}${tools}
  --chat        goes on with a conversation, at a terminal
  --            what follows is a question, whatever it looks like
${common}`,
  chat: `vernal chat [--docs PATH…] [--store FILE] [--mcp FILE] [--memory URL]

Opens a conversation about the documents that remembers what was said. Ctrl-C stops the answer that is being written;
/exit, Ctrl-D, or Ctrl-C at an empty prompt end it. Questions that are piped in are read a line each.
${documents}${tools}
  --memory URL         keeps the conversation: a SQLite file, sqlite:, postgres:, mysql:, mariadb:, redis:, mongodb:, neo4j:, bolt:,
                       cassandra: …; the driver is to be installed beside this command
  --conversation NAME  which conversation is kept there and gone on with; 'default' is the default
${common}`,
  ingest: `vernal ingest PATH… --store FILE [--sync]

Reads, splits and embeds documents and writes them into a store file. What the store held of a file before is replaced.

  --store FILE  the store file; it is made if it is not there
  --sync        only reads what has changed, deletes what is gone, and leaves out files that cannot be read; a run that was
                interrupted is taken up again; FILE.ledger remembers what FILE holds
${common}`,
  eval: `vernal eval DATASET [--docs PATH…] [--store FILE] [--out NAME]
vernal eval compare BEFORE.json AFTER.json [--out FILE.html]

Asks the questions of a file, as 'vernal ask' does, and judges the answers. DATASET is JSON, a list, or JSON Lines, of objects with
'question', and where they are known 'id', 'reference' (the right answer) and 'relevant' (sources that should be found). 'compare' shows
what changed between two reports.
${documents}
  --evaluators LIST  names with commas: relevancy, fact-checking, faithfulness, context-precision, context-recall,
                     answer-correctness, answer-similarity, contains, exact-match, recall@5, precision@5, hit@5, ndcg@5, mrr, map;
                     the default is relevancy, answer-similarity, recall@5 and mrr, as far as file and models allow
  --judge provider:name  the model that judges; the default is the one that answers
  --out NAME         writes NAME.json and NAME.html, over nothing but older reports
  --contents         questions, answers and reasons stand in the reports too
  --min-score SCORE  exit code 1 when a mean is lower, what was not decided being 0; for one evaluator NAME=SCORE; may be repeated
  --prices FILE      what tokens cost: JSON with { "model": { "input": 0.25, "output": 2 } } for a million tokens each
  --concurrency N    questions at the same time; 4 is the default
${common}`,
  mcp: `vernal mcp serve [--docs PATH…] [--store FILE] [--about TEXT]
vernal mcp serve [--docs PATH…] [--store FILE] [--about TEXT] --http PORT

Serves documents to programs that speak the Model Context Protocol, such as editors and assistants: a tool 'search', and each document
as a resource. Over stdin and stdout it ends with the program that started it, and with --http by Ctrl-C. What is not protocol goes to
stderr. No chat model is used.

  --docs PATH…  files and folders to read before it begins; may be repeated
  --store FILE  a store that 'vernal ingest' made
  --about TEXT  what the documents are about, told to the model that is to search them
  --http PORT   serves streamable HTTP at http://127.0.0.1:PORT/mcp, to this machine only; 0 is a free port
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
