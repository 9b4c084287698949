import { arbitraryJsonText } from '@heirloom/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytesOf } from '../test/files.ts'
import { type ListItem, listItems } from './list-items.ts'

const cut = (bytes: Uint8Array, sizes: readonly number[]): readonly Uint8Array[] => {
  const pieces: Uint8Array[] = []
  let at = 0
  for (let nth = 0; at < bytes.length; nth++) {
    const end = at + (sizes[nth % sizes.length] ?? 1)
    pieces.push(bytes.slice(at, end))
    at = end
  }
  return pieces
}

async function itemsOf(text: string, sizes: readonly number[] = [1000], longest = 10_000) {
  const items: ListItem[] = []
  async function* chunks() {
    yield* cut(bytesOf(text), sizes)
  }
  for await (const item of listItems(chunks(), { subject: 'a.json', longest })) items.push(item)
  return items
}

const decode = ({ bytes }: ListItem) => bytes && new TextDecoder().decode(bytes)

const space = fc.constantFrom('', ' ', '\n', '\r\n\t')
const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 })

describe('the items of a list', () => {
  it('are its exact texts, however it is cut and spaced', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(arbitraryJsonText), space, sizes, async (texts, gap, lengths) => {
        const list = `${gap}[${gap}${texts.join(`${gap},${gap}`)}${gap}]${gap}`
        expect((await itemsOf(list, lengths)).map(decode)).toEqual(texts.map((it) => it.trim()))
      }),
    )
  })

  it('of a text that is no list are that text', async () => {
    const object = arbitraryJsonText.filter((text) => text.trim().startsWith('{'))
    await fc.assert(
      fc.asyncProperty(object, space, sizes, async (text, gap, lengths) => {
        const items = await itemsOf(`\uFEFF${gap}${text}${gap}`, lengths)
        expect(items.map(decode)).toEqual([text.trim()])
      }),
    )
  })

  it('are held only up to the limit; of longer ones the length is told', async () => {
    expect(await itemsOf('["0123456789","a"]', [3], 5)).toEqual([
      { length: 12 },
      { length: 3, bytes: bytesOf('"a"') },
    ])
  })

  it.each(['[1,2', '["a', '{"a":[1}', '[1]]', '[1] 2', '', '}', '[{"a":"\\"}]'])(
    'of %j are refused',
    async (text) => {
      await expect(itemsOf(text)).rejects.toMatchObject({ code: 'import/malformed' })
    },
  )
})
