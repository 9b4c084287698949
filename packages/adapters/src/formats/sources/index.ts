export type { ArchiveItem, ConversationArchive } from './archive/conversation-archive.ts'
export { openArchive } from './archive/open-archive.ts'
export { type Part, type PartChoice, planParts, type Split, splits } from './archive/plan-parts.ts'
export { type PartFile, readParts } from './archive/read-parts.ts'
export type { LiveServer } from './bounded-request.ts'
export { readCharacterCard } from './character-card.ts'
export {
  readPostgresCheckpoints,
  writePostgresCheckpoints,
} from './checkpoints/postgres-checkpoints.ts'
export { readTables, type Tables } from './checkpoints/read-tables.ts'
export { readSqliteCheckpoints } from './checkpoints/sqlite-checkpoints.ts'
export { writeSqliteCheckpoints } from './checkpoints/write-sqlite-checkpoints.ts'
export { lettaCloud, readLettaAgent, writeLettaAgent } from './letta-server.ts'
export { type Mem0Filter, mem0Cloud, readMem0Memories } from './mem0-server.ts'
export { isOpenMemory, readOpenMemory } from './open-memory.ts'
export type { ReadSource } from './read-source.ts'
