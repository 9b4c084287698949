import { arbitraryBundleText } from '@heirloom/testkit'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { detectFormat, exportMemory, formatNames, importMemory, type SourceFile } from './index.ts'
import { arbitraryFiles, bytesOf, fileOf } from './test/files.ts'

const word = fc.stringMatching(/^[a-z]{1,8}$/)
const wanted = fc.record({ category: word, agentId: word, version: word }, { requiredKeys: [] })

const inOrder = (files: readonly SourceFile[]) =>
  files.toSorted((one, other) => (one.path < other.path ? -1 : 1))

describe.each(formatNames)('files of %s', (format) => {
  const files = arbitraryFiles[format]

  it('are known by what is in them', () => {
    fc.assert(
      fc.property(files, (it) => {
        expect(detectFormat(it)).toBe(format)
      }),
    )
  })

  it('come back byte for byte, whatever their metadata became', () => {
    fc.assert(
      fc.property(files, wanted, (it, metadata) => {
        const { document } = importMemory(it, { secrets: 'keep', metadata })
        const back = exportMemory(document)
        expect(inOrder(back)).toEqual(inOrder(it))
        expect(exportMemory(document, format)).toEqual(back)
      }),
    )
  })

  it('become the same memory again when they came back', () => {
    fc.assert(
      fc.property(files, wanted, (it, metadata) => {
        const { document } = importMemory(it, { secrets: 'keep', metadata })
        const again = importMemory(exportMemory(document), { format, secrets: 'keep', metadata })
        expect(again.document).toEqual(document)
      }),
    )
  })

  it('can always be given as one file of JSON, which becomes the same memory', () => {
    fc.assert(
      fc.property(files, (it) => {
        const { document } = importMemory(it, { secrets: 'keep' })
        const whole = [{ path: 'bundle.json', bytes: document }]
        expect(importMemory(whole, { secrets: 'keep' }).document).toEqual(document)
        if (format !== 'json') expect(exportMemory(document, 'json')[0]?.bytes).toEqual(document)
      }),
    )
  })
})

test('a folder becomes the same memory in whichever order its files come', () => {
  fc.assert(
    fc.property(arbitraryFiles.markdown, (files) => {
      const { document } = importMemory(files, { secrets: 'keep' })
      const reversed = importMemory(files.toReversed(), { secrets: 'keep' })
      expect(reversed.document).toEqual(document)
      const { data } = JSON.parse(new TextDecoder().decode(document))
      const names = [...Object.keys(data.files)].filter((name) => Number.isNaN(Number(name)))
      expect(names).toEqual(names.toSorted())
    }),
  )
})

test('front matter says the same with either end of line, even when it says nothing', () => {
  const quote = fc.constantFrom('', '"', "'")
  fc.assert(
    fc.property(wanted, quote, fc.constantFrom('\n', '\r\n'), (says, mark, end) => {
      const lines = Object.entries(says).map(([name, text]) => `${name}: ${mark}${text}${mark}`)
      const files = [fileOf('a.md', ['---', ...lines, '---', 'text', ''].join(end))]
      const { document, report } = importMemory(files, { secrets: 'keep' })
      expect(JSON.parse(new TextDecoder().decode(document)).metadata).toEqual({
        category: 'memory',
        ...says,
        importedFrom: { format: 'markdown' },
      })
      expect(report.taken).toContainEqual({ what: 'texts with front matter', count: 1 })
      expect(report.left).toEqual([])
      expect(exportMemory(document)).toEqual(files)
    }),
  )
})

describe('a whole bundle', () => {
  it('becomes its document, and comes back as that', () => {
    fc.assert(
      fc.property(arbitraryBundleText, ({ text, document }) => {
        const files = [fileOf('bundle.json', text)]
        const imported = importMemory(files, { secrets: 'keep' })
        expect(imported).toMatchObject({ format: 'json', document: bytesOf(document) })
        expect(exportMemory(imported.document)).toEqual([fileOf('memory.json', document)])
      }),
    )
  })

  test('takes other metadata, and keeps every other member letter for letter', () => {
    const text = '{"data":{"n":1.0},"metadata":{"category":"a","x": 1e2,"version":"1"}}'
    const metadata = { category: 'b', agentId: 'bob' }
    const { document } = importMemory([fileOf('b.json', text)], { secrets: 'refuse', metadata })
    expect(new TextDecoder().decode(document)).toBe(
      '{"data":{"n":1.0},"metadata":{"category":"b","x":1e2,"version":"1","agentId":"bob"}}',
    )
  })
})

describe('files that are almost of a format', () => {
  const mutated = fc
    .tuple(fc.oneof(...Object.values(arbitraryFiles)), fc.nat(), fc.uint8Array({ maxLength: 3 }))
    .map(([files, at, put]) =>
      files.map(({ path, bytes }) => {
        const place = at % (bytes.length + 1)
        return { path, bytes: Uint8Array.from([...bytes].toSpliced(place, put.length, ...put)) }
      }),
    )

  it('are taken whole or refused with a sentence, and what is taken comes back', () => {
    fc.assert(
      fc.property(mutated, fc.constantFrom(undefined, ...formatNames), (files, format) => {
        try {
          const { document, report } = importMemory(files, {
            secrets: 'keep',
            ...(format !== undefined && { format }),
          })
          const left = new Set(report.left.map(({ what }) => what))
          const own = files.filter(({ path }) => !left.has(path))
          const isBundle = report.taken.some(({ what }) => what === 'members of data')
          if (!isBundle) expect(inOrder(exportMemory(document))).toEqual(inOrder(own))
        } catch (error) {
          expect(error).toMatchObject({ code: expect.stringMatching(/^import\//) })
        }
      }),
      { numRuns: 1000 },
    )
  })
})
