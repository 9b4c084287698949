/** Returns an error and its causes without what they say, which may quote a password in a log. */
export function traceOf(error: unknown, depth = 0): Error | undefined {
  if (!(error instanceof Error) || depth > 5) return undefined
  const trace = new Error('', { cause: traceOf(error.cause, depth + 1) })
  const places = error.stack?.split('\n').filter((line) => /^ +at /.test(line)) ?? []
  return Object.assign(trace, { name: error.name, stack: [error.name, ...places].join('\n') })
}
