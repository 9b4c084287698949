import { openLine } from './parts/lines.ts'
import { edits, memoryOf, notes } from './parts/notes.ts'
const all = notes(50_000_000, 'long')
const line = await openLine()
const first = await line.save(memoryOf(all))
const doc = memoryOf(edits.append(all))
for (let i = 0; i < 5; i++) { const copy = Buffer.from(doc); const u = process.threadCpuUsage(); const a = await line.save(copy, first.digest); const d = process.threadCpuUsage(u); console.log(a.time.toFixed(0), 'main', (d.user/1000).toFixed(0), (d.system/1000).toFixed(0)) }
await line.close()
