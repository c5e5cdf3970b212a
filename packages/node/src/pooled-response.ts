import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { BodyReader } from './body-reader.js';
import { decodedBody } from './decoded-body.js';

const NOTHING = new Uint8Array();
const BODILESS = new Set([204, 205, 304]);

/** What an answer is the answer to. */
interface Asked {
  readonly url: string;
  readonly redirected: boolean;
  readonly init: RequestInit;
}

/** A `Response` over a message of `node:http`: what most clients read of it never becomes a web stream; the rest does when it is asked for. */
export class PooledResponse implements Response {
  readonly status: number;
  readonly statusText: string;
  readonly ok: boolean;
  readonly redirected: boolean;
  readonly type = 'default';
  readonly url: string;
  readonly headers: Headers;
  readonly #reader: BodyReader | undefined;
  #body: ReadableStream | undefined;
  #cloned = false;

  constructor(message: IncomingMessage, { url, redirected, init }: Asked) {
    this.status = message.statusCode ?? 0;
    this.statusText = message.statusMessage ?? '';
    this.ok = this.status >= 200 && this.status < 300;
    this.url = url;
    this.redirected = redirected;
    this.headers = headersOf(message);
    const bodiless = BODILESS.has(this.status) || init.method?.toUpperCase() === 'HEAD';
    const empty = bodiless || message.headers['content-length'] === '0';
    // The connection is free for others at once.
    if (empty) message.resume();
    const source = empty ? Readable.from([]) : decodedBody(message);
    this.#reader = bodiless ? undefined : new BodyReader(source, init.signal ?? undefined);
  }

  /** Iterating it is quick; a reader of it pays for a web stream. */
  get body(): ReadableStream | null {
    const reader = this.#reader;
    if (reader === undefined) return null;
    this.#body ??= webStream(reader);
    return this.#body;
  }

  get bodyUsed(): boolean {
    if (this.#body !== undefined && Readable.isDisturbed(this.#body as unknown as Readable)) return true;
    return !this.#cloned && (this.#reader?.begun ?? false);
  }

  async text(): Promise<string> {
    return new TextDecoder().decode(await this.#whole());
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await this.#whole());
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return (await this.bytes()).buffer;
  }

  async blob(): Promise<Blob> {
    return this.#asResponse().blob();
  }

  async formData(): Promise<FormData> {
    return this.#asResponse().formData();
  }

  /** From here on both read the body as web streams. */
  clone(): Response {
    this.#requireUnread();
    let theirs: ReadableStream | null = null;
    if (this.body !== null) {
      [this.#body, theirs] = this.body.tee();
      this.#cloned = true;
    }
    const { url, redirected } = this;
    return Object.defineProperties(new Response(theirs, this.#init()), {
      url: { value: url },
      redirected: { value: redirected },
    });
  }

  async #whole(): Promise<Uint8Array> {
    this.#requireUnread();
    if (this.#cloned) return new Uint8Array(await new Response(this.#body).arrayBuffer());
    return (await this.#reader?.rest()) ?? NOTHING;
  }

  #requireUnread(): void {
    if (this.bodyUsed || this.#body?.locked) throw new TypeError('Body is unusable: Body has already been read');
  }

  #asResponse(): Response {
    this.#requireUnread();
    return new Response(this.body, this.#init());
  }

  #init(): ResponseInit {
    return { status: this.status, statusText: this.statusText, headers: this.headers };
  }
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) headers.append(rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '');
  return headers;
}

function webStream(reader: BodyReader): ReadableStream {
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await reader.return();
      },
    },
    // Nothing is read before it is asked for.
    { highWaterMark: 0 },
  );
  const iterate = (): BodyReader => {
    if (stream.locked) throw new TypeError('This body is being read by another');
    return reader;
  };
  return Object.defineProperty(stream, Symbol.asyncIterator, { value: iterate });
}
