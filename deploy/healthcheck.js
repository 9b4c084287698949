// Exits with 0 while the server in this container is ready. Node is here; curl is not.
const port = process.env.PORT || '3000'
const response = await fetch(`http://127.0.0.1:${port}/readyz`, {
  signal: AbortSignal.timeout(4000),
}).catch(() => undefined)
process.exitCode = response?.ok ? 0 : 1
