#!/usr/bin/env node
// What `tenantry` runs: turns on the cache of compiled code before anything large is loaded.
import { enableCompileCache } from 'node:module'

enableCompileCache()
await import('./main.ts')
