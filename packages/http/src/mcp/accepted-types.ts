const json = 'application/json'
const events = 'text/event-stream'

/** Returns which of the two media types of an answer an `accept` header names; both without one. */
export function acceptedTypes(accept = '*/*'): readonly string[] {
  const ranges = accept.split(',').map((it) => it.split(';')[0]?.trim().toLowerCase())
  const isAccepted = (type: string) =>
    ranges.some((it) => it === '*/*' || it === type || it === `${type.split('/')[0]}/*`)
  return [json, events].filter(isAccepted)
}

/** The `accept` header of a client that takes both, which the protocol asks of every one. */
export const bothTypes = `${json}, ${events}`

/** Returns an answer in a media type that its client accepts. */
export async function inAcceptedType(
  answer: Response,
  accepted: readonly string[],
  isBatch: boolean,
): Promise<Response> {
  const [only, another] = accepted
  const type = answer.headers.get('content-type')?.split(';')[0]
  if (only === undefined || another !== undefined || answer.status !== 200 || type === only)
    return answer
  if (type !== json && type !== events) return answer
  const text = await answer.text()
  const headers = new Headers(answer.headers)
  headers.delete('content-length')
  headers.set('content-type', only)
  const body = only === json ? messageIn(text, isBatch) : `event: message\ndata: ${text}\n\n`
  return new Response(body, { status: 200, headers })
}

/** Returns the answers in a stream that has ended, as one text of JSON. */
function messageIn(stream: string, isBatch: boolean): string {
  const messages = stream.split(/\r?\n/).flatMap((line) => /^data: ?(.+)$/.exec(line)?.[1] ?? [])
  return isBatch ? `[${messages.join()}]` : (messages.at(-1) ?? '')
}
