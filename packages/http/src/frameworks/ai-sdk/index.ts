export type { FrameworkOptions } from '../named-document.ts'
export { type HeirloomMemory, heirloomMemory, type MemoryOptions } from './heirloom-memory.ts'
