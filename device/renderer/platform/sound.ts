/** One beep: its frequency, and when it begins and how long it lasts after the sound was started. */
export type Beep = { readonly hertz: number; readonly afterMs: number; readonly lastsMs: number };

let audio: AudioContext | undefined;

/** Plays beeps through the machine's loudspeaker; nothing where it has none, or before anybody touched the page. */
export function play(beeps: readonly Beep[]): void {
  audio ??= new AudioContext();
  const { currentTime, destination } = audio;
  for (const { hertz, afterMs, lastsMs } of beeps) {
    const [oscillator, volume] = [audio.createOscillator(), audio.createGain()];
    const start = currentTime + afterMs / 1000;
    const end = start + lastsMs / 1000;
    oscillator.frequency.value = hertz;
    // Rises and falls instead of clicking.
    volume.gain.setValueAtTime(0, start);
    volume.gain.linearRampToValueAtTime(0.3, start + 0.01);
    volume.gain.linearRampToValueAtTime(0, end);
    oscillator.connect(volume).connect(destination);
    oscillator.start(start);
    oscillator.stop(end);
  }
}
