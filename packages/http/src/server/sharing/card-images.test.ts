import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { account, hash, isFailure, tokenId } from '@heirloom/core'
import { afterAll, expect, test } from 'vitest'
import { copyDrawing } from '../../../copy-drawing.ts'
import type { Drawn } from './card-drawing.ts'
import { openCardImages } from './card-images.ts'

const folder = mkdtempSync(join(tmpdir(), 'drawing-'))
copyDrawing(folder)
const resources = new AsyncDisposableStack()
afterAll(async () => {
  await resources.disposeAsync()
  rmSync(folder, { recursive: true })
})
const images = openCardImages(resources, [folder])
if (images === undefined) throw new Error('The fonts were not copied.')

const token = (id: bigint, title: string, fill = 'ab'): Drawn => ({
  tokenId: tokenId(id),
  contentHash: hash(`0x${fill.repeat(32)}`),
  creator: account('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'),
  originality: 'original',
  card: { title },
  erasedAt: undefined,
})

test('an image is a PNG of 1200 by 630 pixels, and shows title and seal', async () => {
  const png = Buffer.from(await images.draw(token(1n, 'A year of trades'), 'ada'))
  expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630])
  const others = [token(1n, 'A year of losses'), token(1n, 'A year of trades', 'cd')]
  for (const other of others) expect(png.equals(await images.draw(other, 'ada'))).toBe(false)
})

test('markup in a title stays text', async () => {
  const hostile = `</text><image href="file:///etc/passwd"/>&xxe; ]]> "'`
  expect((await images.draw(token(1n, hostile), 'ada')).byteLength).toBeGreaterThan(1000)
})

test('a view has an image, in which markup stays text', async () => {
  const view = { title: '</text><image href="file:///etc/passwd"/>', description: '&xxe; "' }
  const png = Buffer.from(await images.draw({ ...view, rosette: `0x${'12'.repeat(20)}` }, 'ada'))
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630])
})

test('the tag of an image changes with what it shows', () => {
  const tags = [token(1n, 'one'), token(1n, 'two'), token(2n, 'one')].map(images.etagOf)
  expect(new Set(tags).size).toBe(3)
  expect(images.etagOf(token(1n, 'one'))).toBe(tags[0])
})

test('a crowd of images to draw is refused beyond sixteen, and no memory grows', async () => {
  const requests = Array.from({ length: 20 }, (_, at) =>
    images.draw(token(BigInt(at + 10), 'many'), `client ${at}`),
  )
  const outcomes = await Promise.allSettled(requests)
  const refused = outcomes.filter((it) => it.status === 'rejected')
  expect(refused).toHaveLength(4)
  expect(refused.every(({ reason }) => isFailure(reason, 'service/busy'))).toBe(true)
})

test('a client has four images drawn at once, and leaves the others to others', async () => {
  const draw = (at: number, client: string) => images.draw(token(BigInt(at + 50), 'some'), client)
  const outcomes = await Promise.allSettled([
    ...Array.from({ length: 6 }, (_, at) => draw(at, 'ada')),
    draw(6, 'ben'),
  ])
  const refused = outcomes.flatMap((it) => (it.status === 'rejected' ? [it.reason] : []))
  expect(refused).toHaveLength(2)
  expect(refused.every((it) => isFailure(it, 'request/too-many'))).toBe(true)
})

test('there are no images where the fonts are missing', () => {
  expect(openCardImages(resources, [join(folder, 'nowhere')])).toBeUndefined()
})
