// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice A wallet of several owners, as a Safe is: it recognises what enough of them signed, one
/// signature of 65 bytes after the other, in the order of their addresses (ERC-1271).
contract SharedWallet {
    uint256 private immutable threshold;
    mapping(address => bool) private isOwner;

    constructor(address[] memory owners, uint256 threshold_) {
        threshold = threshold_;
        for (uint256 i = 0; i < owners.length; i++) isOwner[owners[i]] = true;
    }

    function isValidSignature(bytes32 hash, bytes calldata signatures) external view returns (bytes4) {
        if (signatures.length != 65 * threshold) return 0xffffffff;
        address last = address(0);
        for (uint256 i = 0; i < threshold; i++) {
            bytes calldata one = signatures[65 * i:65 * (i + 1)];
            address signer = ecrecover(hash, uint8(one[64]), bytes32(one[0:32]), bytes32(one[32:64]));
            if (signer <= last || !isOwner[signer]) return 0xffffffff;
            last = signer;
        }
        return this.isValidSignature.selector;
    }
}

/// @notice Deploys shared wallets at addresses known beforehand (ERC-6492).
contract SharedWalletFactory {
    function deploy(address[] calldata owners, uint256 threshold) external returns (address) {
        return address(new SharedWallet{salt: 0}(owners, threshold));
    }
}
