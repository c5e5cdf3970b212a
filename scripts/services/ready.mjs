// Whether an engine takes work. An open port says little: PostgreSQL listens while it starts, and Docker's proxy while nobody does.
import { connect } from 'node:net';

/** Sends `greeting` and looks at what comes back until `isReady` can tell: undefined asks for more. False where nothing comes. */
function firstAnswer(port, host, greeting, isReady, timeout = 1_000) {
  return new Promise((resolve) => {
    const socket = connect({ port, host, timeout });
    let answer = '';
    const end = (ready) => {
      socket.destroy();
      resolve(ready);
    };
    socket.once('connect', () => socket.write(greeting));
    socket.on('data', (data) => {
      answer += data.toString('latin1');
      const ready = isReady(answer);
      if (ready !== undefined) end(ready);
    });
    socket.once('timeout', () => end(false));
    socket.once('error', () => end(false));
    socket.once('close', () => end(false));
  });
}

/** A start-up message of protocol 3.0: the answer is a request to authenticate, or an error such as "starting up". */
export function postgresIsReady(port, host = '127.0.0.1') {
  const text = Buffer.from('user\0postgres\0database\0postgres\0\0');
  const head = Buffer.alloc(8);
  head.writeInt32BE(text.length + 8, 0);
  head.writeInt32BE(3 << 16, 4);
  return firstAnswer(port, host, Buffer.concat([head, text]), (answer) => answer.startsWith('R'));
}

/** Also when it wants a password. */
export function redisIsReady(port, host = '127.0.0.1') {
  return firstAnswer(port, host, 'PING\r\n', (answer) => /^(?:\+PONG|-NOAUTH)/.test(answer));
}

/** It greets first: packet 0 with the protocol's version 10, or an error such as "too many connections". */
export function mariadbIsReady(port, host = '127.0.0.1') {
  return firstAnswer(port, host, '', (answer) => answer[3] === '\0' && answer[4] === '\n');
}

/** OP_MSG with `{ hello: 1, $db: 'admin' }`: the answer says `isWritablePrimary: true`. */
export function mongoIsReady(port, host = '127.0.0.1') {
  const document = Buffer.from('\x1f\0\0\0\x10hello\0\x01\0\0\0\x02$db\0\x06\0\0\0admin\0\0', 'latin1');
  const head = Buffer.alloc(21);
  head.writeInt32LE(head.length + document.length, 0);
  head.writeInt32LE(1, 4);
  head.writeInt32LE(2013, 12);
  const primary = '\x08isWritablePrimary\0\x01';
  return firstAnswer(port, host, Buffer.concat([head, document]), (answer) => answer.includes(primary));
}

/**
 * Bolt 4.4, all at once: HELLO without a user, RUN "RETURN 1", PULL. The answer holds the record 1, for the database may still be starting
 * when the port is open; or it wants a password.
 */
export function neo4jIsReady(port, host = '127.0.0.1') {
  const offer = '\x60\x60\xb0\x17\0\0\x04\x04'.padEnd(20, '\0');
  const text = (words) => `\xd0${String.fromCharCode(words.length)}${words}`;
  const hello = `\xb1\x01\xa2${text('user_agent')}${text('vernal/1')}${text('scheme')}${text('none')}`;
  const messages = [hello, `\xb3\x10${text('RETURN 1')}\xa0\xa0`, `\xb1\x3f\xa1${text('n')}\xff`];
  const chunks = messages.map((message) => `\0${String.fromCharCode(message.length)}${message}\0\0`);
  const isReady = (answer) => {
    if (answer.includes('\xb1\x71\x91\x01') || answer.includes('Neo.ClientError.Security')) return true;
    return answer.includes('\xb1\x7f') || answer.startsWith('\0\0\0\0') ? false : undefined;
  };
  // It compiles its first query for seconds.
  return firstAnswer(port, host, Buffer.from(`${offer}${chunks.join('')}`, 'latin1'), isReady, 20_000);
}

/** STARTUP of protocol 4: the answer is READY or AUTHENTICATE. */
export function cassandraIsReady(port, host = '127.0.0.1') {
  const startup = '\x04\0\0\0\x01\0\0\0\x16\0\x01\0\x0bCQL_VERSION\0\x053.0.0';
  const isReady = (answer) => answer[0] === '\x84' && (answer[4] === '\x02' || answer[4] === '\x03');
  return firstAnswer(port, host, startup, isReady);
}
