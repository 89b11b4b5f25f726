/**
 * Headers that say where a message ends, whom it is for and who may change it on the way. They belong
 * to whoever sends it, not to whoever describes what is sent.
 */
export function isTransportHeader(name: string): boolean {
  return TRANSPORT.test(name);
}

const TRANSPORT =
  /^(?:host|content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|proxy-.*)$/i;
