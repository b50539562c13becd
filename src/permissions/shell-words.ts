function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/u));
}

/** Shell builtins that no rule makes automatic: they change how later words are read, or evaluate their arguments. */
export const unruledBuiltins = words(`
  . : alias bg bind break builtin caller command compgen complete compopt continue coproc declare dirs disown enable eval exec export fc fg
  getopts hash help history jobs let local logout mapfile popd pushd read readarray readonly return set shift shopt source suspend times trap
  typeset ulimit umask unalias unset wait
`);

/** Commands whose arguments are a command: only a rule that spells the whole line covers them. */
export const wrappers = words(`
  at batch chroot chrt chpst cpulimit daemon dbus-run-session doas dumb-init entr env exec fakeroot faketime firejail flatpak flock gosu
  gtimeout ionice ltrace mosh nice nohup nsenter numactl parallel perf pkexec prlimit proot rlwrap runuser sandbox-exec script setarch
  setpriv setsid setuidgid softlimit ssh sshpass start-stop-daemon stdbuf strace su sudo systemd-run taskset tini timeout torify torsocks tsocks
  unbuffer unshare valgrind watch watchexec when-changed xargs xvfb-run time gdb lldb rr
`);

/**
 * Launchers, interpreters and writers: commands that can run other programs or write any file by an argument, a configuration or a
 * project file. A bare `shell(word *)` does not make them automatic.
 */
export const launchers = words(`
  ag ant ansible ansible-playbook apt apt-get ar aria2c ash autoconf automake awk aws az b4 base32 base64 bash bat batcat bazel bc black brew
  buck buck2 build bun bundle bunx busybox c++ cabal cargo cc ccache chromium clang clang++ clang-format cmake code composer conan conda
  convert cpan cpio crontab csh csplit ctags curl cvs dart dash dc dd deno diff dircolors docker docker-compose dotnet dpkg dvc ed elixir
  elm emacs emacsclient esbuild eslint ex expect fd fdfind ffmpeg file find firefox fish flutter fossil fzf g++ gawk gcc gcloud gem gh ghc
  gimp git gmake gnuplot go gpg gradle gradlew groovy grunt guile gulp helm hg hx indent install invoke irb iconv java javac jest jjs jq jshell
  julia just kakoune ksh kubectl kustomize ld less lerna lex lftp link ln lua luajit m4 mage magick mail mailx make makeinfo man mawk mc
  meson micro mix mksh mocha more msgfmt msmtp mvn mysql mysqldump mutt nano nawk nc ncat netcat next ninja nim nix nix-shell nl nmap node
  nodejs nox npm npx nvim nx ocaml openssl osascript patch pax pdm pear perl pg_dump php pico pip pip3 pipenv pipx pnpm pnpx podman poetry
  postcss pr prettier prove psql puppet pwsh py pypy pypy3 pytest python python2 python3 R racket rake readelf redis-cli restic rg ruby ruff rsync
  rails run-parts rustc rustup sbt scala scons scp screen sdiff sed sendmail sftp sh shar shuf snap socat sort split sponge sqlite3 svn
  swift sysctl systemctl tar task tclsh tee telnet terraform tig tmux toolbox tox toybox troff groff truncate ts-node tsc tsx turbo uniq unzip uv
  uvx vagrant vi view vim vimdiff vite vitest wasmtime webpack wget wish xdg-open xdotool xmllint xxd yarn yash yq yum zip zsh zx 7z
  php-cgi pkg pacman dnf apk deluser useradd usermod passwd mount umount insmod modprobe kill killall pkill
`);

/** Commands that only act on the paths they are given: a rule covers them inside the workspace. */
export const fileCommands = words('chgrp chmod chown cp install link ln mkdir mv rm rmdir touch truncate unlink');

/** Commands whose arguments are data, never a command: the scan looks at their first word only. */
export const dataCommands = words(`
  basename cat cd chgrp chmod chown cmp cp cut date diff dirname echo egrep false fgrep grep head kill ln ls mkdir mv printf pwd readlink
  realpath rm rmdir seq sleep stat tail test touch tr true type unlink wc which
`);

/** Programs that run what they read: text that another command prints may become a command. */
export const interpreters = words(`
  . ash at awk bash batch busybox csh dash ed eval ex fish gawk ksh lua mawk mksh node nodejs parallel perl php pwsh python python2 python3
  ruby sh source ssh tclsh xargs yash zsh
`);

export const shells = words('ash bash busybox csh dash fish ksh mksh sh tcsh yash zsh');
export const downloaders = words('aria2c axel curl fetch ftp http https httpie lwp-request lynx nc ncat scp wget wget2 xh');
