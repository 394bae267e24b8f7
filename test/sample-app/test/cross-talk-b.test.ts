import { crossTalk } from './cross-talk.ts'

crossTalk('b')
