import { serve } from '../worker-calls.ts'
import { openDocument } from './open-document.ts'

const { handlers } = openDocument()

/** The functions of the worker that holds an opened document. */
export type ViewerHandlers = typeof handlers

serve(handlers)
