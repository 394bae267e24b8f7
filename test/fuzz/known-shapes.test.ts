import { describeFuzz } from './describe-fuzz.ts'
import { knownShapes } from './targets/known-shapes.ts'

// A case sends about eight requests to each of two emulators.
describeFuzz(knownShapes, 30)
