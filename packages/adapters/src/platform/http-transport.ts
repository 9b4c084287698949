import type { ClientRequest, IncomingMessage } from 'node:http'
import {
  createTransport,
  HttpRequestError,
  RpcRequestError,
  TimeoutError,
  type Transport,
} from 'viem'
import { nodeHttp } from './node-http.ts'
import { type Answer, type Call, together } from './batcher.ts'

export declare namespace httpTransport {
  type Options = {
    /** How long a node may take to answer, in milliseconds. */
    readonly timeout: number
    /** How long to wait before a question is asked for the second and last time, in milliseconds. */
    readonly retryDelay: number
  }
}

/** The longest answer that is read, in bytes. */
const longestAnswer = 10 * 2 ** 20

/**
 * Returns a transport that asks a node over HTTP, on connections that are kept. It fails as viem's
 * own does, and shows the address without its credentials.
 */
export function httpTransport(url: URL, { timeout, retryDelay }: httpTransport.Options): Transport {
  const node = nodeAt(url, timeout)
  let id = 0
  const question = ({ method, params }: Call) => ({ jsonrpc: '2.0', id: ++id, method, params })
  const alone = (call: Call) => answerOf(node, question(call))
  const batch = (calls: readonly Call[]) => answersOf(node, calls.map(question))
  const inOne = together({ alone, batch })
  const request = async (call: Call) => {
    // Reads come many at once. What is sent to the chain goes by itself, to be judged by itself.
    const { error, result } = await (call.method === 'eth_call' ? inOne(call) : alone(call))
    if (error) throw new RpcRequestError({ body: call, error, url: node.shown })
    return result as never
  }
  const config = { key: 'http', name: 'HTTP JSON-RPC', type: 'http', retryCount: 1 } as const
  return () => createTransport({ ...config, request, retryDelay, timeout }, { url: node.shown })
}

type Node = {
  readonly ask: (onAnswer: (answer: IncomingMessage) => void) => ClientRequest
  readonly timeout: number
  /** The address as errors may tell it. */
  readonly shown: string
}

function nodeAt(url: URL, timeout: number): Node {
  const { request, Agent } = nodeHttp(url)
  const agent = new Agent({ keepAlive: true })
  const { username, password, protocol, hostname, port, pathname, search } = url
  const auth = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const options = {
    ...{ agent, method: 'POST', protocol, port, path: `${pathname}${search}` },
    hostname: hostname.replace(/^\[|\]$/g, ''),
    headers: { 'content-type': 'application/json' },
    ...(username !== '' && { auth }),
  }
  const shown = new URL(url)
  shown.username = ''
  shown.password = ''
  return { ask: (onAnswer) => request(options, onAnswer), timeout, shown: shown.href }
}

type Question = Call & { readonly id: number }

async function answerOf(node: Node, question: Question): Promise<Answer> {
  const reply = await replyTo(node, { asked: question })
  const answer = parsed(reply.text)
  if (isAnswer(answer) && (isSuccess(reply.status) || isFault(answer.error))) return answer
  throw noAnswer(node, { asked: question }, reply)
}

async function answersOf(
  node: Node,
  questions: readonly Question[],
): Promise<readonly (Answer | undefined)[] | undefined> {
  const [first] = questions
  if (questions.length === 1 && first !== undefined) return [await answerOf(node, first)]
  const reply = await replyTo(node, { asked: questions })
  const answers = parsed(reply.text)
  if (Array.isArray(answers)) {
    const byId = new Map(answers.filter(isAnswer).map((answer) => [answer.id, answer]))
    return questions.map(({ id }) => byId.get(id))
  }
  // One thing for an answer to many, or a complaint about how it was asked: it takes no lists.
  if (isAnswer(answers) || isComplaint(reply.status)) return undefined
  throw noAnswer(node, { asked: questions }, reply)
}

type Body = { readonly asked: Question | readonly Question[] }

async function replyTo(node: Node, body: Body): Promise<Reply> {
  const url = node.shown
  return exchange(node, JSON.stringify(body.asked)).catch((cause: Error) => {
    throw cause === late
      ? new TimeoutError({ body, url })
      : new HttpRequestError({ body, url, cause })
  })
}

function noAnswer({ shown: url }: Node, body: Body, { status, retryAfter }: Reply): Error {
  const headers = new Headers(retryAfter === undefined ? {} : { 'retry-after': retryAfter })
  const details = 'The node gave no answer in JSON-RPC.'
  return new HttpRequestError({ body, url, status, headers, details })
}

const isComplaint = (status: number) => status >= 400 && status < 500 && status !== 429
const isSuccess = (status: number) => status >= 200 && status < 300

type Reply = {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly text: string
}

const late = new Error('The node did not answer in time.')

async function exchange({ ask, timeout }: Node, body: string): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  const asked = ask((answer) => {
    const { statusCode: status = 0, headers } = answer
    whole(answer).then(
      (text) => resolve({ status, retryAfter: headers['retry-after'], text }),
      reject,
    )
  })
  asked.on('error', reject)
  asked.end(body)
  const timer = setTimeout(() => asked.destroy(late), timeout)
  return promise.finally(() => clearTimeout(timer))
}

function whole(answer: IncomingMessage): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const parts: Buffer[] = []
  let length = 0
  answer.on('data', (part: Buffer) => {
    parts.push(part)
    length += part.length
    if (length > longestAnswer) answer.destroy(new Error('The answer is too long.'))
  })
  answer.on('error', reject)
  answer.on('end', () => resolve(Buffer.concat(parts).toString()))
  return promise
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isAnswer(answer: unknown): answer is Answer & { readonly id?: unknown } {
  return typeof answer === 'object' && answer !== null && ('result' in answer || 'error' in answer)
}

// Some nodes refuse a call with a status of its own, beside the error that says why.
function isFault(error: Answer['error']): boolean {
  return typeof error?.code === 'number' && typeof error.message === 'string'
}
