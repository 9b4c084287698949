import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Problem } from '../api/problem.ts'
import { emptyDraft } from './draft.ts'
import { requestBody } from './build-request-body.ts'
import { sourceOf } from './source.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const labelled = { ...emptyDraft, category: 'research' }

describe('a file', () => {
  it('that is a JSON object is sealed letter for letter', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(4), (value, space) => {
        const text = JSON.stringify(value, undefined, space)
        const body = requestBody(sourceOf('a.json', bytes(text)), labelled, undefined)
        expect(body).toBe(`{"data":${text},"metadata":{"category":"research"}}`)
      }),
    )
  })

  it('that is a whole bundle keeps its own metadata, and numbers no browser holds', () => {
    const text = '{"data":{"n":12345678901234567890}, "metadata":{"category":"x","v":1.0}}'
    const source = sourceOf('b.json', bytes(text))
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
          const { data } = sourceOf('notes.md', bytes(text))
          const sealed = JSON.parse(data) as { file?: string; text?: string; json?: unknown }
          if (sealed.text === undefined) expect(() => JSON.parse(text)).not.toThrow()
          else expect(sealed).toEqual({ file: 'notes.md', text })
        },
      ),
    )
  })

  it.each([
    ['nothing', new Uint8Array()],
    ['white space', bytes(' \n')],
    ['no text', Uint8Array.of(0xff, 0xfe, 0x00)],
  ])('with %s in it is refused, with what to do', (_, content) => {
    expect(() => sourceOf('c', content)).toThrow(Problem)
  })
})
