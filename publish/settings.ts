import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Setting, settings } from '../packages/http/src/config/settings.ts'

// Writes docs/settings.md anew from the table of settings.

const introduction = `# Settings

A server is configured by environment variables, and all of them are optional. \`heirloom doctor\` and the start of a server warn of a misspelt one. Amounts of money are in wei, sizes in bytes. **If local** is the default of a server that only this machine reaches ([a local server](access.md#a-local-server)); a bound of 0 is none.`

const tableHead = '| Variable | Default | If local | About |\n| --- | --- | --- | --- |'

const code = (value: Setting['fallback']) => (value === undefined ? '' : `\`${value}\``)

const row = ([name, { about, fallback, ifLocal, otherwise }]: [string, Setting]) =>
  `| \`${name}\` | ${otherwise ?? code(fallback)} | ${code(ifLocal)} | ${about} |`

/** Returns the page of documentation that has every setting. */
export function settingsPage(): string {
  const parts = Object.entries(settings).map(
    ([subject, named]) =>
      `## ${subject}\n\n${tableHead}\n${Object.entries<Setting>(named).map(row).join('\n')}`,
  )
  return `${[introduction, ...parts].join('\n\n')}\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(join(import.meta.dirname, '../docs/settings.md'), settingsPage())
}
