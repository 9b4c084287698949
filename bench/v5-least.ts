import { openLine } from './parts/lines.ts'
import { edits, memoryOf, notes } from './parts/notes.ts'
const all = notes(50_000_000, 'long')
const line = await openLine()
await line.save(Uint8Array.from(memoryOf(all).subarray(0, 1_000_000)))
const f: number[] = [], a: number[] = []
for (let i = 0; i < 4; i++) {
  const first = await line.save(memoryOf(all)); f.push(first.time)
  for (let j = 0; j < 2; j++) a.push((await line.save(memoryOf(edits.append(all)), first.digest)).time)
}
console.log('first', Math.min(...f).toFixed(0), 'append', Math.min(...a).toFixed(0), (Math.min(...a) / Math.min(...f)).toFixed(3), 'medians', f.sort((x,y)=>x-y)[1]!.toFixed(0), a.sort((x,y)=>x-y)[3]!.toFixed(0))
await line.close()
