import { hostname } from 'node:os'
import type { LaneEvent, LaneJob, SettledTransaction } from '@heirloom/adapters/ledger'
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { version } from '../api/version.ts'
import type { TracingSettings } from '../config/read-observability.ts'
import type { RequestSpan, TracedRequest, Tracing } from './tracing.ts'

/** The time for one request to the collector, and for the last ones, in milliseconds. */
const [exportTimeout, closeTimeout] = [10_000, 3000]

/** Opens traces that are sent to a collector. */
export function otlpTracing(
  { endpoint, headers, serviceName, ratio }: TracingSettings,
  onTrouble: (error: unknown) => void,
): Tracing {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    headers: { ...headers },
    timeoutMillis: exportTimeout,
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': serviceName,
      'service.version': version(),
      'service.instance.id': `${hostname()}:${process.pid}`,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: reporting(exporter, onTrouble),
        exportTimeoutMillis: exportTimeout,
      }),
    ],
  })
  const tracer = provider.getTracer('heirloom')
  return {
    startRequest: (request) => startRequest(tracer, request),
    observe: (event) => observe(tracer, event),
    close: () => within(closeTimeout, provider.shutdown()),
  }
}

/** Returns an exporter that reports what it could not send. */
const reporting = (exporter: SpanExporter, onTrouble: (error: unknown) => void): SpanExporter => ({
  export: (spans, done) =>
    exporter.export(spans, (result) => {
      if (result.error !== undefined) onTrouble(result.error)
      done(result)
    }),
  forceFlush: async () => exporter.forceFlush?.(),
  shutdown: () => exporter.shutdown(),
})

/** Waits for the end of something, but not for long, and whether it succeeds or not. */
async function within(milliseconds: number, ending: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, milliseconds)
  await Promise.race([ending.catch(() => undefined), promise])
  clearTimeout(timer)
}

function startRequest(
  tracer: Tracer,
  { method, route, requestId, traceparent }: TracedRequest,
): RequestSpan {
  const attributes = {
    'http.request.method': method,
    ...(route !== undefined && { 'http.route': route }),
    'heirloom.request.id': requestId,
  }
  const name = route === undefined ? method : `${method} ${route}`
  const options = { kind: SpanKind.SERVER, attributes }
  const span = tracer.startSpan(name, options, contextOf(traceparent))
  return {
    traceparent: traceparentOf(span),
    end: ({ status, key }) => {
      span.setAttribute('http.response.status_code', status)
      if (key !== undefined) span.setAttribute('heirloom.api_key', key)
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    },
  }
}

function observe(tracer: Tracer, event: LaneEvent): void {
  if (event.kind === 'refused') {
    for (const job of event.jobs) startJob(tracer, job).end()
  } else if (event.kind === 'settled') {
    for (const job of event.jobs) recordTransaction(tracer, event, job)
  }
}

/** Records a transaction in the trace of one of its jobs, and the job's end if it has ended. */
function recordTransaction(tracer: Tracer, settled: SettledTransaction, job: LaneJob): void {
  const { txHash, nonce, block, attempts, signedAt, jobs } = settled
  const ofJob = startJob(tracer, job)
  const attributes = {
    'heirloom.transaction.hash': txHash,
    'heirloom.transaction.nonce': nonce,
    'heirloom.transaction.block': Number(block),
    'heirloom.transaction.jobs': jobs.length,
    'heirloom.transaction.attempts': attempts,
  }
  ofJob.setAttribute('heirloom.transaction.hash', txHash)
  const context = trace.setSpan(ROOT_CONTEXT, ofJob)
  const options = { kind: SpanKind.CLIENT, attributes, startTime: new Date(signedAt) }
  tracer.startSpan('transaction', options, context).end()
  ofJob.end()
}

/** Starts the span of a job when it was accepted. */
function startJob(tracer: Tracer, job: LaneJob): Span {
  const { id, operation, state, code, acceptedAt, requestId, traceparent } = job
  const attributes: Attributes = {
    'heirloom.job.id': id,
    'heirloom.job.operation': operation,
    'heirloom.job.state': state,
    ...(requestId !== undefined && { 'heirloom.request.id': requestId }),
    ...(code !== undefined && { 'error.type': code }),
  }
  // A date, because a number before the start of this process would count from that start.
  const options = { kind: SpanKind.INTERNAL, attributes, startTime: new Date(acceptedAt) }
  const span = tracer.startSpan(`job ${operation}`, options, contextOf(traceparent))
  if (state === 'failed') span.setStatus({ code: SpanStatusCode.ERROR })
  return span
}

/** Returns the context of a span elsewhere; the empty one without a trace context. */
function contextOf(traceparent: string | undefined): Context {
  if (traceparent === undefined) return ROOT_CONTEXT
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-')
  const traceFlags = Number.parseInt(flags, 16)
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
}

function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
}
