export type { FrameworkOptions } from '../named-document.ts'
export { HeirloomStorage } from './heirloom-storage.ts'
