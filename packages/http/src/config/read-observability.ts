import {
  type Environment,
  invalidVariable,
  readText,
  splitList,
  wrongValue,
} from './environment.ts'
import { settingOf } from './settings.ts'

/** The levels of the log. */
export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** Returns the configured level of the log, `info` by default. @throws `config/invalid` */
export function readLogLevel(env: Environment): LogLevel {
  const text = readText(env, 'LOG_LEVEL') ?? settingOf('LOG_LEVEL').fallback
  const level = logLevels.find((candidate) => candidate === text)
  if (level === undefined)
    throw wrongValue('LOG_LEVEL', `must be one of ${logLevels.join(', ')}`, text)
  return level
}

/** The collector that traces are sent to, in the OTLP format over HTTP. */
export type TracingSettings = {
  /** The address of a collector, to which `/v1/traces` is added. */
  readonly endpoint: string
  /** The headers of each request to it, which may contain a secret. */
  readonly headers: Readonly<Record<string, string>>
  /** The name of this service in the traces. */
  readonly serviceName: string
  /** The share of the traces that are recorded, of those that no caller decided about: 0 to 1. */
  readonly ratio: number
}

/**
 * Reads the settings of traces, under the names of OpenTelemetry; `undefined` where no collector is set.
 *
 * @throws `config/invalid`
 */
export function readTracing(env: Environment): TracingSettings | undefined {
  const endpoint = readEndpoint(env)
  if (endpoint === undefined) return undefined
  requireHttpProtocol(env)
  return {
    endpoint,
    headers: readHeaders(env),
    serviceName: readText(env, 'OTEL_SERVICE_NAME') ?? settingOf('OTEL_SERVICE_NAME').fallback,
    ratio: readRatio(env),
  }
}

const endpointName = 'OTEL_EXPORTER_OTLP_ENDPOINT'

function readEndpoint(env: Environment): string | undefined {
  const text = readText(env, endpointName)
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '') {
    return url.href.replace(/\/+$/, '')
  }
  throw invalidVariable(endpointName, 'must be an http or https address without a query')
}

// A collector that expects another protocol would drop every trace without a word.
function requireHttpProtocol(env: Environment): void {
  const name = 'OTEL_EXPORTER_OTLP_PROTOCOL'
  const protocol = readText(env, name) ?? 'http/json'
  if (protocol === 'http/json') return
  throw invalidVariable(name, 'must be http/json, which every collector takes on port 4318')
}

function readHeaders(env: Environment): Readonly<Record<string, string>> {
  const name = 'OTEL_EXPORTER_OTLP_HEADERS'
  const entries = splitList(readText(env, name)).map((item) => {
    const [, key, value] = /^([!#$%&'*+.^_`|~\w-]+)=([\x20-\x7e]*)$/.exec(item) ?? []
    if (key === undefined || value === undefined) {
      throw invalidVariable(name, 'must be a comma list of name=value')
    }
    return [key, decode(name, value)] as const
  })
  return Object.fromEntries(entries)
}

function decode(name: string, value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    throw invalidVariable(name, 'must have percent-encoded values')
  }
}

function readRatio(env: Environment): number {
  const name = 'OTEL_TRACES_SAMPLER_ARG'
  const text = readText(env, name) ?? '1'
  if (/^(0(\.\d{1,9})?|1(\.0{1,9})?)$/.test(text)) return Number(text)
  throw invalidVariable(name, 'must be a number from 0 to 1, such as 0.1')
}
