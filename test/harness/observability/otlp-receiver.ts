import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

type Value = {
  readonly stringValue?: string
  readonly intValue?: number | string
  readonly doubleValue?: number
}
type Attribute = { readonly key: string; readonly value: Value }

/** A span as a collector receives it. */
export type ReceivedSpan = {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: Readonly<Record<string, string | number | undefined>>
  readonly status: { readonly code?: number }
}

/** A collector of traces, in the JSON format of OTLP over HTTP. */
export type OtlpReceiver = {
  readonly url: string
  readonly spans: ReceivedSpan[]
  /** The attributes of the services that sent spans. */
  readonly services: ReceivedSpan['attributes'][]
  /** The paths and headers of the requests. */
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders }[]
  close(): Promise<void>
}

type Body = {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] }
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<ReceivedSpan, 'attributes'> & {
        readonly attributes: readonly Attribute[]
      })[]
    }[]
  }[]
}

/** Opens a collector on a free loopback port, which answers with a status. */
export async function openOtlpReceiver(status = 200): Promise<OtlpReceiver> {
  const received: Pick<OtlpReceiver, 'spans' | 'services' | 'requests'> = {
    spans: [],
    services: [],
    requests: [],
  }
  const server = createServer(async (request, response) => {
    received.requests.push({ path: `${request.method} ${request.url}`, headers: request.headers })
    for (const { resource, scopeSpans } of ((await json(request)) as Body).resourceSpans) {
      received.services.push(valuesOf(resource.attributes))
      for (const span of scopeSpans.flatMap(({ spans }) => spans)) {
        received.spans.push({ ...span, attributes: valuesOf(span.attributes) })
      }
    }
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    ...received,
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

const valuesOf = (attributes: readonly Attribute[]): ReceivedSpan['attributes'] =>
  Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue, doubleValue } }) => [
      key,
      stringValue ?? doubleValue ?? Number(intValue),
    ]),
  )
