export type { FrameworkOptions } from '../named-document.ts'
export { HeirloomSaver, type SaverOptions } from './heirloom-saver.ts'
export type { ItemRecord } from './heirloom-store.ts'
export { HeirloomStore } from './heirloom-store.ts'
