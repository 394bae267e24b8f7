// Loaded by the command line before everything else, so it imports no service.
export { prepareEngineThread } from '../../database/embedded/host/engine-thread.ts'
