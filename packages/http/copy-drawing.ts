import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const { resolve } = createRequire(import.meta.url)
const drawing = resolve('@resvg/resvg-wasm/index_bg.wasm')
const fonts = dirname(resolve('dejavu-fonts-ttf/package.json'))

/** Describes what the images of shared links are drawn with: a program, its fonts, and their licence. */
const files = {
  'resvg.wasm': drawing,
  'DejaVuSans.ttf': join(fonts, 'ttf/DejaVuSans.ttf'),
  'DejaVuSans-Bold.ttf': join(fonts, 'ttf/DejaVuSans-Bold.ttf'),
  'LICENSE-DejaVu': join(fonts, 'LICENSE'),
}

/** Copies the files that images are drawn with into a folder, once. */
export function copyDrawing(folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const [name, source] of Object.entries(files)) {
    if (!existsSync(join(folder, name))) copyFileSync(source, join(folder, name))
  }
}
