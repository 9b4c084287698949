import { readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Plugin } from 'rolldown'

/**
 * Returns a plugin that writes the licences of all packed packages into `NOTICES.txt`, those of fonts
 * included. Names of files are relative to `root`.
 */
export const notices = (root = '.'): Plugin => ({
  name: 'notices',
  generateBundle(_, bundle) {
    const modules = Object.values(bundle).flatMap((it) =>
      it.type === 'chunk'
        ? it.moduleIds
        : it.originalFileNames.map((name) => realpathSync(resolve(root, name))),
    )
    this.emitFile({ type: 'asset', fileName: noticesFile, source: noticesText(modules) })
  },
})

/** The file of the licences. */
export const noticesFile = 'NOTICES.txt'

/** Returns the licences of the packages that hold these modules. */
export function noticesText(modules: readonly string[]): string {
  const folders = new Set(modules.flatMap((id) => packageOf.exec(id)?.[1] ?? []))
  return `${[...folders].map(noticeOf).toSorted().join('\n\n')}\n`
}

/** Matches the folder of the innermost package of a module. */
const packageOf = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//

function noticeOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim())
  return [`${name} ${version} (${license})`, ...texts].join('\n\n')
}
