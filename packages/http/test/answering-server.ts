import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Starts a server that answers as given, uses its address, and stops it. */
export async function withAnswers<Result>(
  answer: RequestListener,
  use: (url: string) => Promise<Result>,
): Promise<Result> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** Starts a server that answers each path with its JSON text, and others with 404; uses and stops it. */
export const withJson = <Result>(
  answers: Readonly<Record<string, string>>,
  use: (url: string) => Promise<Result>,
): Promise<Result> =>
  withAnswers(({ url = '' }, reply) => {
    const text = answers[url.split('?')[0] ?? '']
    reply.writeHead(text === undefined ? 404 : 200, { 'content-type': 'application/json' })
    reply.end(text ?? '{}')
  }, use)
