import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { sha256Of } from './cid.ts'

test.each([[0], [1], [131_072], [131_073], [1_048_576]])(
  'hashes %i bytes, also in a view of a longer buffer',
  async (length) => {
    const bytes = randomBytes(length + 9).subarray(5, 5 + length)
    expect(await sha256Of(bytes)).toBe(createHash('sha256').update(bytes).digest('hex'))
  },
)

test('does not block the event loop while it hashes many bytes', async () => {
  const order: string[] = []
  const hashing = sha256Of(Buffer.alloc(2 ** 26)).then(() => order.push('hashed'))
  setImmediate(() => order.push('another'))
  await hashing
  expect(order).toEqual(['another', 'hashed'])
})
