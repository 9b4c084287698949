import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { folderImporters, isFolderFormat } from './importers/folder-importers.ts'
import { tooDeep } from './importers/json-file.ts'
import { jsonImporters } from './importers/json-importers.ts'
import { exportMemory, type FormatName, formatNames, importMemory, inputLimits } from './index.ts'
import { patternKinds } from './secrets/secret-patterns.ts'
import { fileOf } from './test/files.ts'

const docs = readFileSync(new URL('../../../../docs/formats.md', import.meta.url), 'utf8')

const rows = [...docs.matchAll(/^\| `.*$/gm)].map(([line]) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim()),
)

const rowOf = (format: FormatName) => {
  if (isFolderFormat(format)) return [folderImporters[format].category, 'its folder']
  const { category, file } = jsonImporters[format]
  return [category, `\`${file}\``]
}

test('the table lists every format in order, with its category and file', () => {
  const documented = rows.map(([name, , category, , , file]) => [name, category, file])
  const actual = formatNames.map((format) => {
    const [category, file] = rowOf(format)
    return [`\`${format}\``, `\`${category}\``, file]
  })
  expect(documented).toEqual(actual)
})

test.each(formatNames)(
  'the example of %s imports to the document or metadata shown, and is restored',
  (format) => {
    const [, section = ''] = docs.split(`\n## \`${format}\`\n`)
    const [own = ''] = section.split('\n## ')
    const blocks = [...own.matchAll(/```\w+ ?(\S*)\n([\s\S]*?)```/g)]
    const files = blocks
      .filter(([, path]) => path !== '')
      .map(([, path = '', text = '']) => fileOf(path, text))
    const shown = JSON.parse(blocks.find(([, path]) => path === '')?.[2] ?? '')
    const imported = importMemory(files, { secrets: 'refuse' })
    expect(imported.format).toBe(format)
    const document = JSON.parse(new TextDecoder().decode(imported.document))
    expect('data' in shown ? document : document.metadata).toEqual(shown)
    expect(exportMemory(imported.document)).toEqual(files)
    const [, , , agentId, version] = rows.find(([name]) => name === `\`${format}\``) ?? []
    expect('agentId' in document.metadata).toBe(agentId !== '')
    expect('version' in document.metadata).toBe(version !== '')
  },
)

test('the list names every kind of secret', () => {
  const [, section = ''] = /\n## Secrets\n(.*?)\n## /s.exec(docs) ?? []
  const documented = [...section.matchAll(/^- ([^,:\n]*)/gm)].map(([, kind]) => kind)
  const others = ['a private key in PEM form', 'a recovery phrase', 'a secret of an agent']
  expect(documented.toSorted()).toEqual([...patternKinds, ...others].toSorted())
})

test('the page names the limits', () => {
  expect(docs).toContain(
    `${inputLimits.files.toLocaleString('en')} files and ${inputLimits.bytes / 2 ** 20} MiB`,
  )
  expect(docs).toContain(
    tooDeep.replace('it nests deeper than', 'nested at most').replace(' levels', ' levels deep'),
  )
})
