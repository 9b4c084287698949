import { arbitraryBundleText } from '@heirloom/testkit'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { times } from '../../../../test/tier.ts'
import { detectFormat, exportMemory, formatNames, importMemory, type SourceFile } from './index.ts'
import { arbitraryFiles, bytesOf, fileOf } from './test/files.ts'

const word = fc.stringMatching(/^[a-z]{1,8}$/)
const overrides = fc.record({ category: word, agentId: word, version: word }, { requiredKeys: [] })

const sortByPath = (files: readonly SourceFile[]) =>
  files.toSorted((one, other) => (one.path < other.path ? -1 : 1))

describe.each(formatNames)('files of %s', (format) => {
  const files = arbitraryFiles[format]

  it('are detected by their content', () => {
    fc.assert(
      fc.property(files, (it) => {
        expect(detectFormat(it)).toBe(format)
      }),
    )
  })

  it('are restored byte for byte, with any metadata', () => {
    fc.assert(
      fc.property(files, overrides, (it, metadata) => {
        const { document } = importMemory(it, { secrets: 'keep', metadata })
        const restored = exportMemory(document)
        expect(sortByPath(restored)).toEqual(sortByPath(it))
        expect(exportMemory(document, format)).toEqual(restored)
      }),
    )
  })

  it('import to the same document after an export', () => {
    fc.assert(
      fc.property(files, overrides, (it, metadata) => {
        const { document } = importMemory(it, { secrets: 'keep', metadata })
        const again = importMemory(exportMemory(document), { format, secrets: 'keep', metadata })
        expect(again.document).toEqual(document)
      }),
    )
  })

  it('can be exported as one JSON file, which imports to the same document', () => {
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

test('the order of the files of a folder does not matter', () => {
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

test('front matter is read with either line ending, even when it is empty', () => {
  const quote = fc.constantFrom('', '"', "'")
  fc.assert(
    fc.property(overrides, quote, fc.constantFrom('\n', '\r\n'), (metadata, mark, end) => {
      const lines = Object.entries(metadata).map(([name, text]) => `${name}: ${mark}${text}${mark}`)
      const files = [fileOf('a.md', ['---', ...lines, '---', 'text', ''].join(end))]
      const { document, report } = importMemory(files, { secrets: 'keep' })
      expect(JSON.parse(new TextDecoder().decode(document)).metadata).toEqual({
        category: 'memory',
        ...metadata,
        importedFrom: { format: 'markdown', counts: report.taken },
      })
      expect(report.taken).toContainEqual({ what: 'texts with front matter', count: 1 })
      expect(report.left).toEqual([])
      expect(exportMemory(document)).toEqual(files)
    }),
  )
})

describe('a whole bundle', () => {
  it('imports to its document, and is exported as that', () => {
    fc.assert(
      fc.property(arbitraryBundleText, ({ text, document }) => {
        const files = [fileOf('bundle.json', text)]
        const imported = importMemory(files, { secrets: 'keep' })
        expect(imported).toMatchObject({ format: 'json', document: bytesOf(document) })
        expect(exportMemory(imported.document)).toEqual([fileOf('memory.json', document)])
      }),
    )
  })

  test('accepts other metadata, and does not change the text of other members', () => {
    const text = '{"data":{"n":1.0},"metadata":{"category":"a","x": 1e2,"version":"1"}}'
    const metadata = { category: 'b', agentId: 'bob' }
    const { document } = importMemory([fileOf('b.json', text)], { secrets: 'refuse', metadata })
    expect(new TextDecoder().decode(document)).toBe(
      '{"data":{"n":1.0},"metadata":{"category":"b","x":1e2,"version":"1","agentId":"bob"}}',
    )
  })
})

describe('files that almost have a format', () => {
  const mutated = fc
    .tuple(fc.oneof(...Object.values(arbitraryFiles)), fc.nat(), fc.uint8Array({ maxLength: 3 }))
    .map(([files, at, inserted]) =>
      files.map(({ path, bytes }) => {
        const position = at % (bytes.length + 1)
        return {
          path,
          bytes: Uint8Array.from([...bytes].toSpliced(position, inserted.length, ...inserted)),
        }
      }),
    )

  it('are imported whole or refused with an import failure, and are restored by an export', () => {
    fc.assert(
      fc.property(mutated, fc.constantFrom(undefined, ...formatNames), (files, format) => {
        try {
          const { document, report } = importMemory(files, {
            secrets: 'keep',
            ...(format !== undefined && { format }),
          })
          const left = new Set(report.left.map(({ what }) => what))
          const own = files.filter(({ path }) => !left.has(path))
          const lost = new Set(report.left.flatMap(({ what, isLoss }) => (isLoss ? [what] : [])))
          expect(files.filter(({ path }) => left.has(path) && !lost.has(path))).toEqual([])
          const isBundle = report.taken.some(({ what }) => what === 'members of data')
          if (!isBundle) expect(sortByPath(exportMemory(document))).toEqual(sortByPath(own))
        } catch (error) {
          expect(error).toMatchObject({ code: expect.stringMatching(/^import\//) })
        }
      }),
      { numRuns: times(250, 1000) },
    )
  })
})
