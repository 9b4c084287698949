import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { handleJobs } from '@heirloom/adapters/internal/platform'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import type { DrawJob, DrawReply } from './card-images.ts'

let loaded: Promise<readonly Uint8Array[]> | undefined

handleJobs<DrawJob, DrawReply>(async ({ folder, svg }) => {
  loaded ??= load(folder)
  const fontBuffers = [...(await loaded)]
  const drawing = new Resvg(svg, { font: { fontBuffers, defaultFontFamily: 'DejaVu Sans' } })
  const image = drawing.render()
  const answer = new Uint8Array(image.asPng())
  image.free()
  drawing.free()
  return { answer, moved: [answer.buffer] }
})

async function load(folder: string): Promise<readonly Uint8Array[]> {
  await initWasm(readFileSync(join(folder, 'resvg.wasm')))
  return ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'].map((name) => readFileSync(join(folder, name)))
}
