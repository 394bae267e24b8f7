// Whether the emulator does not answer. Actions are then disabled. The shell provides the value.
import { type Context, createContext } from 'react'

export const ServerGoneContext: Context<boolean> = createContext(false)
