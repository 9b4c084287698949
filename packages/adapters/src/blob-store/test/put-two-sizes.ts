import { isFailure } from '@heirloom/core'
import { heliaBlobStore } from '../helia.ts'

// Puts a short, a long and another short blob into the given folder, and prints each outcome.
const [folder = ''] = process.argv.slice(2)
const store = await heliaBlobStore({ folder })
for (const length of [1000, 200_000, 1001]) {
  const outcome = await store.put(Buffer.alloc(length, 'x')).catch((error: unknown) => {
    const { code, cause } = isFailure(error) ? error : { code: 'another error', cause: error }
    return `${code} ${cause instanceof Error && 'code' in cause ? cause.code : ''}`
  })
  process.stdout.write(`${outcome}\n`)
}
await store.close()
