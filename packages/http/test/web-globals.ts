/** The names of the globals of every web runtime. */
const names = [
  'AbortController',
  'AbortSignal',
  'ReadableStream',
  'TextDecoder',
  'TextDecoderStream',
  'TextEncoder',
  'URL',
  'URLSearchParams',
  'clearTimeout',
  'fetch',
  'queueMicrotask',
  'setTimeout',
] as const

/** Returns the globals of every web runtime, and none of Node. */
export const webGlobals = (): Readonly<Record<string, unknown>> =>
  Object.fromEntries(names.map((name) => [name, globalThis[name]]))
