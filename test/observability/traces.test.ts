import { describe, expect, onTestFinished, test } from 'vitest'
import { startLoggedServer } from '../harness/observability/logged-server.ts'
import { openOtlpReceiver, type ReceivedSpan } from '../harness/observability/otlp-receiver.ts'

const memory = JSON.stringify({ data: { mood: 'calm' }, metadata: { category: 'research' } })
const client = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' }
const traceparent = `00-${client.traceId}-${client.spanId}-01`

async function openReceiver(status?: number) {
  const receiver = await openOtlpReceiver(status)
  onTestFinished(() => receiver.close())
  return receiver
}

/** Makes a snapshot, and returns its response. */
async function snapshot(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${url}/api/memory/snapshot`, {
    method: 'POST',
    body: memory,
    headers: { 'content-type': 'application/json', ...headers },
  })
  expect(response.status).toBe(201)
  const { txHash } = (await response.json()) as { readonly txHash: string }
  return { txHash, headers: response.headers }
}

const byName = (spans: readonly ReceivedSpan[], name: string) =>
  spans.filter((span) => span.name === name)

describe('a trace', () => {
  test('leads from the request through its job to its transaction, and into the log', async () => {
    const receiver = await openReceiver()
    const server = await startLoggedServer({
      OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a-secret,x-tenant=7',
    })
    const { txHash, headers } = await snapshot(server.url, { 'x-request-id': 'req-1', traceparent })
    expect(headers.get('x-request-id')).toBe('req-1')
    expect(await server.end('SIGTERM')).toBe(0)

    const spans = receiver.spans.filter(({ traceId }) => traceId === client.traceId)
    const [request] = byName(spans, 'POST /api/memory/snapshot')
    const [job] = byName(spans, 'job mint')
    const [transaction] = byName(spans, 'transaction')
    expect(spans).toHaveLength(3)
    expect(headers.get('traceparent')).toBe(`00-${client.traceId}-${request?.spanId}-01`)
    expect([request, job, transaction].map((span) => span?.parentSpanId)).toEqual([
      client.spanId,
      request?.spanId,
      job?.spanId,
    ])
    expect(request?.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/api/memory/snapshot',
      'http.response.status_code': 201,
      'heirloom.request.id': 'req-1',
    })
    expect(job?.attributes).toMatchObject({
      'heirloom.job.operation': 'mint',
      'heirloom.job.state': 'done',
      'heirloom.request.id': 'req-1',
      'heirloom.transaction.hash': txHash,
    })
    expect(transaction?.attributes).toMatchObject({
      'heirloom.transaction.hash': txHash,
      'heirloom.transaction.jobs': 1,
      'heirloom.transaction.attempts': 1,
    })
    const times = [request, job, transaction].map((span) => BigInt(span?.startTimeUnixNano ?? 0))
    expect(times.toSorted()).toEqual(times)
    expect(receiver.services[0]).toMatchObject({ 'service.name': 'heirloom' })
    const [sent] = receiver.requests
    expect(sent?.path).toBe('POST /v1/traces')
    expect(sent?.headers).toMatchObject({ authorization: 'Bearer a-secret', 'x-tenant': '7' })

    const done = server.lines().filter(({ msg }) => msg === 'a job is done')
    expect(done).toMatchObject([
      {
        reqId: 'req-1',
        traceId: client.traceId,
        operation: 'mint',
        txHash,
        job: job?.attributes['heirloom.job.id'],
      },
    ])
    expect(JSON.stringify(server.lines())).not.toContain('a-secret')
  })

  test('is not recorded where its caller or the share says so, or for probes', async () => {
    const receiver = await openReceiver()
    const server = await startLoggedServer({
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_TRACES_SAMPLER_ARG: '0',
    })
    const off = await snapshot(server.url, { traceparent: traceparent.replace(/01$/, '00') })
    const none = await snapshot(server.url)
    const on = await snapshot(server.url, { traceparent })
    for (const path of ['/livez', '/readyz', '/metrics']) {
      const probe = await fetch(`${server.url}${path}`, { headers: { traceparent } })
      expect([path, probe.headers.get('traceparent')]).toEqual([path, traceparent])
    }
    await server.end('SIGTERM')
    expect(off.headers.get('traceparent')).toMatch(new RegExp(`^00-${client.traceId}-.*-00$`))
    expect(none.headers.get('traceparent')).toMatch(/-00$/)
    const hashes = byName(receiver.spans, 'transaction').map(
      ({ attributes }) => attributes['heirloom.transaction.hash'],
    )
    expect(hashes).toEqual([on.txHash])
    expect(receiver.spans).toHaveLength(3)
  })

  test('that its collector refuses is one line of the log', async () => {
    const receiver = await openReceiver(400)
    const server = await startLoggedServer({
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a-secret',
    })
    await snapshot(server.url)
    expect(await server.end('SIGTERM')).toBe(0)
    const lines = server.lines().filter(({ msg }) => msg === 'traces cannot be sent')
    expect(lines).toHaveLength(1)
    expect(receiver.requests.length).toBeGreaterThan(0)
    expect(JSON.stringify(server.lines())).not.toContain('a-secret')
  })

  test('of a collector that is gone does not keep a server from its end', async () => {
    const receiver = await openOtlpReceiver()
    await receiver.close()
    const server = await startLoggedServer({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url })
    await snapshot(server.url)
    expect(await server.end('SIGTERM')).toBe(0)
  })
})

test('without a collector a request keeps the context of its client, and nothing is loaded', async () => {
  const server = await startLoggedServer()
  const { headers } = await snapshot(server.url, { traceparent })
  expect(headers.get('traceparent')).toBe(traceparent)
  const done = server.lines().filter(({ msg }) => msg === 'a job is done')
  await server.end('SIGTERM')
  const lines = done.length > 0 ? done : server.lines().filter(({ msg }) => msg === 'a job is done')
  expect(lines).toMatchObject([{ traceId: client.traceId, reqId: headers.get('x-request-id') }])
})
