import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Problem } from '../api/problem.ts'
import { buildRequestBody } from './build-request-body.ts'
import { emptyDraft } from './draft.ts'
import { readSource } from './source.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const labelled = { ...emptyDraft, category: 'research' }

describe('a file', () => {
  it('that is a JSON object is sealed exactly as it is', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(4), (value, space) => {
        const text = JSON.stringify(value, undefined, space)
        const body = buildRequestBody(readSource('a.json', bytes(text)), labelled, undefined)
        expect(body).toBe(`{"data":${text},"metadata":{"category":"research"}}`)
      }),
    )
  })

  it('that is a whole bundle keeps its metadata, and numbers beyond the precision of a browser', () => {
    const text = '{"data":{"n":12345678901234567890}, "metadata":{"category":"x","v":1.0}}'
    const source = readSource('b.json', bytes(text))
    expect([source.data, source.metadata]).toEqual([
      '{"n":12345678901234567890}',
      '{"category":"x","v":1.0}',
    ])
  })

  it('that is any other text is sealed inside an object', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }).filter((it) => it.trim() !== ''),
        (text) => {
          const { data } = readSource('notes.md', bytes(text))
          const sealed = JSON.parse(data) as { file?: string; text?: string; json?: unknown }
          if (sealed.text === undefined) expect(() => JSON.parse(text)).not.toThrow()
          else expect(sealed).toEqual({ file: 'notes.md', text })
        },
      ),
    )
  })

  it.each([
    ['no bytes', new Uint8Array()],
    ['white space', bytes(' \n')],
    ['bytes that are not text', Uint8Array.of(0xff, 0xfe, 0x00)],
  ])('with %s is refused with a remedy', (_, content) => {
    expect(() => readSource('c', content)).toThrow(Problem)
  })
})
