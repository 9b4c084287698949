import { itemsRoot, salt } from '@heirloom/core'
import { sha256 } from '../packages/adapters/src/cipher/sha256.ts'
import { itemsOf } from '../packages/core/src/domain/items.ts'
import { documentStart, surveySegment } from '../packages/core/src/domain/segments.ts'
import { memoryOf, notes } from './parts/notes.ts'
const doc = memoryOf(notes(10_000_000, 'long'))
const segments = []
let from = documentStart
for (let at = 0; at < doc.length; at += 6000) { const b = doc.subarray(at, at + 6000); const { survey, next } = surveySegment(b, from); segments.push({ length: b.length, from, survey }); from = next }
const unchanged = [{ offset: 0, segments }]
const s = salt(`0x${'11'.repeat(32)}`)
const time = (n: string, f: () => unknown) => { let best = 1e9; for (let i = 0; i < 15; i++) { const u = process.threadCpuUsage(); f(); const d = process.threadCpuUsage(u); best = Math.min(best, (d.user + d.system) / 1000) } console.log(n, best.toFixed(1)) }
time('itemsOf whole', () => itemsOf(doc))
time('itemsOf unchanged', () => itemsOf(doc, unchanged))
time('root unchanged', () => itemsRoot(doc, { salt: s, sha256, unchanged }))
console.log(itemsRoot(doc, { salt: s, sha256, unchanged })?.root)
