import { crossTalk } from './cross-talk.ts'

crossTalk('d')
