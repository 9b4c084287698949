import { openLine } from './parts/lines.ts'
import { edits, memoryOf, notes } from './parts/notes.ts'
const all = notes(50_000_000, 'long')
const rounds = Number(process.argv[2] ?? 5)
const line = await openLine()
await line.save(Uint8Array.from(memoryOf(all).subarray(0, 1_000_000)))
for (let i = 0; i < rounds; i++) {
  const first = await line.save(memoryOf(all))
  const append = await line.save(memoryOf(edits.append(all)), first.digest)
  console.log(first.time.toFixed(0), append.time.toFixed(0), (append.time / first.time).toFixed(3), append.added)
}
await line.close()
