import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Setting, settings } from '../packages/http/src/config/settings.ts'
import { markdownTable } from './markdown-table.ts'

// Writes docs/settings.md anew from the table of settings.

const introduction = `# Settings

A server is configured by environment variables, and all of them are optional. \`heirloom doctor\` and the start of a server warn of a misspelt one. Amounts of money are in wei, sizes in bytes. **If local** is the default of a server that only this machine reaches ([a local server](access.md#a-local-server)); a bound of 0 is none.`

const head = ['Variable', 'Default', 'If local', 'About']

const code = (value: Setting['fallback']) => (value === undefined ? '' : `\`${value}\``)

const rowOf = ([name, { about, fallback, ifLocal, otherwise }]: [string, Setting]) => [
  code(name),
  otherwise ?? code(fallback),
  code(ifLocal),
  about,
]

/** Returns the page of documentation that has every setting. */
export function settingsPage(): string {
  const parts = Object.entries(settings).map(([subject, named]) => {
    const rows = Object.entries<Setting>(named).map(rowOf)
    return `## ${subject}\n\n${markdownTable(head, rows)}`
  })
  return `${[introduction, ...parts].join('\n\n')}\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(join(import.meta.dirname, '../docs/settings.md'), settingsPage())
}
