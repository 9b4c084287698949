import { openLine } from './parts/lines.ts'
import { edits, memoryOf, notes } from './parts/notes.ts'
const all = notes(50_000_000, 'long')
const line = await openLine()
const first = await line.save(memoryOf(all))
const doc = memoryOf(edits.append(all))
for (let i = 0; i < 6; i++) { const a = await line.save(Buffer.from(doc), first.digest); console.log(a.time.toFixed(0)) }
await line.close()
