import { createServer, request, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

const KINDS: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

/** Serves a page that was built, in front of an operator process that holds another one. */
export async function serve(folder: string, port: () => number): Promise<{ server: Server; port: number }> {
  const server = createServer((asked, answer) => {
    const { pathname } = new URL(asked.url ?? '/', 'http://localhost');
    const path = join(folder, pathname === '/' ? 'index.html' : pathname);
    if (!pathname.startsWith('/api') && existsSync(path)) {
      answer.writeHead(200, { 'content-type': KINDS[extname(path)] ?? 'application/octet-stream' }).end(readFileSync(path));
      return;
    }
    const on = request({ port: port(), path: asked.url, method: asked.method, headers: asked.headers }, (from) => {
      answer.writeHead(from.statusCode ?? 502, from.headers);
      from.pipe(answer);
    });
    on.on('error', () => answer.writeHead(502).end());
    asked.pipe(on);
  });
  server.on('upgrade', (asked, socket, head) => {
    const on = connect(port(), '127.0.0.1', () => {
      const headers = asked.rawHeaders.reduce((text, part, index) => text + part + (index % 2 === 0 ? ': ' : '\r\n'), '');
      on.write(`${asked.method} ${asked.url} HTTP/1.1\r\n${headers}\r\n`);
      on.write(head);
      on.pipe(socket).pipe(on);
    });
    for (const [one, other] of [
      [on, socket],
      [socket, on],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return { server, port: (server.address() as AddressInfo).port };
}
