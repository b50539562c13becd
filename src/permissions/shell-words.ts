import { lazyWords as words } from '../types/lazy.ts';

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
  7z ag ansible ansible-galaxy ansible-playbook ant apk apt apt-get ar aria2c as ash aspell autoconf automake awk aws az b4 base32 base64
  bash bat batcat bats bazel bc bibtex brew buck buck2 build buildah bun bundle bunx bunzip2 busybox bzip2 c++ cabal cargo cc ccache
  celery chromium clang clang++ clang-format cmake code composer compress conan concurrently conda consul convert cowsay cpan cpio crash
  crictl crontab csh csplit ctags ctest ctr cucumber curl cvs dart dash dc dd deluser deno dialog diff dircolors django-admin dnf docker
  docker-compose dotnet dpkg dvc easy_install ed elinks elixir elm emacs emacsclient eqn esbuild ex expect fd fdfind ffmpeg file find
  firebase firefox fish flask flutter foreman fossil ftp fzf g++ gawk gcc gcloud gem gh ghc ghci gimp git gitk glab gmake gnuplot go gpg
  gradle gradlew groff groovy grunt guard guile gulp gunicorn gunzip gzip helm heroku hexedit hg honcho htop hub husky hx iconv indent
  info insmod install invoke ip iptables ipython ipython3 irb ispell java javac jed jjs joe journalctl jrunscript jshell julia jupyter
  just k3d k9s kakoune kill killall kind ksh kubectl kustomize latex latexmk lazygit ld lerna less lex lftp link links lint-staged ln
  loginctl logrotate logsave lua luajit lualatex lwp-download lz4 m4 mage magick mail mailx make makeinfo man mawk mc meson micro
  minikube mix mkfifo mknod mksh modprobe mongo mongosh more mount msgattrib msgcat msgconv msgfilter msgfmt msgmerge msguniq msmtp mutt
  mvn mysql mysqldump nano nasm nawk nc ncat nerdctl netcat netlify next nim ninja nix nix-shell nl nmap node nodejs nodemon nomad nox
  npm npm-run-all npx nsenter nvim nx objcopy oc ocaml openssl openvpn opkg osascript packer pacman passwd patch pax pdflatex pdm pear
  perl pg_dump php php-cgi pic pico pip pip3 pipenv pipx pkg pkill pm2 pnpm pnpx podman poetry postcss pr prove psql pulumi puppet pwsh
  py pydoc pydoc3 pypy pypy3 python python2 python3 R racket rails rake rclone rdoc redis-cli restic rg ri rpm rspec rsync ruby run-parts
  runghc rustc rustup rview rvim s3cmd sbt scala scons scp screen sdiff sed sendmail serverless service sftp sh shar shuf skopeo slsh
  snap socat soelim sort split sponge sqlite3 sqlplus streamlit strip svn svnadmin swift sysctl systemctl tar task tbl tclsh tcpdump
  tdbtool tee telnet terraform tex tftp tig tmux toolbox top tox toybox troff truncate ts-node ts-node-dev tshark tsx turbo umount
  uncompress uniq unxz unzip useradd usermod uudecode uuencode uv uvicorn uvx vagrant vault vercel vi view vigr vim vimdiff vipw vite w3m
  wasmtime watchexec webpack wget whiptail wireit wireshark wish wrangler xdg-open xdotool xelatex xmllint xmore xxd xz yarn yash yelp yq
  yum zathura zip zsh zstd zx
`);

/** Commands that only act on the paths they are given: a rule covers them inside the workspace. */
export const fileCommands = words('chgrp chmod chown cp install link ln mkdir mv rm rmdir touch truncate unlink');

/** Commands that lose what was there: "always" offers the very line only. */
export const destructiveCommands = words('chgrp chmod chown mv rm rmdir truncate unlink');

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
