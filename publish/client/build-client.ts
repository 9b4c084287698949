import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleCode } from './bundle-code.ts'
import { bundleTypes } from './bundle-types.ts'
import { clientManifest } from './manifest.ts'

/**
 * Builds the package `@heirloom/client` from the sources and the compiled declarations of the other
 * packages, from scratch, and returns its folder.
 */
export async function buildClient(workspace: string): Promise<string> {
  const folder = join(workspace, 'dist/client')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await bundleCode(workspace, folder)
  await bundleTypes(workspace, folder)
  writeFileSync(
    join(folder, 'package.json'),
    `${JSON.stringify(clientManifest(workspace), undefined, 2)}\n`,
  )
  cpSync(join(import.meta.dirname, 'README.md'), join(folder, 'README.md'))
  cpSync(join(workspace, 'LICENSE'), join(folder, 'LICENSE'))
  return folder
}
