import { describe, expect, test } from 'vitest'
import { readTracing } from './read-observability.ts'

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }
const defaults = {
  endpoint: 'http://127.0.0.1:4318',
  headers: {},
  serviceName: 'heirloom',
  ratio: 1,
}

describe('the settings of traces', () => {
  test('are absent without a collector, whatever else is set', () => {
    expect(readTracing({ OTEL_SERVICE_NAME: 'x', OTEL_TRACES_SAMPLER_ARG: 'x' })).toBeUndefined()
  })

  test('have defaults, and a base address with or without a slash', () => {
    expect(readTracing(endpoint)).toEqual(defaults)
    expect(readTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318/' })).toEqual(defaults)
    const path = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example/otlp/' }
    expect(readTracing(path)?.endpoint).toBe('https://collector.example/otlp')
  })

  test('are read under the names of OpenTelemetry', () => {
    const all = {
      ...endpoint,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_SERVICE_NAME: 'shop',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a%2Cb, x-tenant=7',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
    }
    expect(readTracing(all)).toEqual({
      ...defaults,
      serviceName: 'shop',
      ratio: 0.25,
      headers: { authorization: 'Bearer a,b', 'x-tenant': '7' },
    })
  })

  test.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost:4318'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://127.0.0.1:4318?a=b'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a-secret-without-a-name'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=%zz'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.1'],
    ['OTEL_TRACES_SAMPLER_ARG', '-1'],
  ])('refuse a wrong %s without its value: %s', (name, value) => {
    const read = () => readTracing({ ...endpoint, [name]: value })
    expect(read).toThrow(name)
    expect(read).not.toThrow(value)
  })
})
